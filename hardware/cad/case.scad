// The tray for the board; the deck is its lid. Print as it is.
include <params.scad>

in_x = perf_x + 1;
in_y = perf_y + 1;
usb_x = -perf_x / 2 + 4.5 + 6.5 * 2.54;  // the Pico's middle on the perfboard

// z = 0 is its rim, against the deck.
module case() difference() {
    union() {
        translate([-in_x / 2 - wall, -in_y / 2 - wall, -case_high]) cube([in_x + 2 * wall, in_y + 2 * wall, case_high]);
        for (x = [-1, 1], y = [-1, 1]) translate([x * case_screw_x - 6, y * case_screw_y - 5, -case_high])
            cube([12, 10, case_high]);
    }
    translate([-in_x / 2, -in_y / 2, -case_high + wall]) cube([in_x, in_y, case_high]);
    for (x = [-1, 1], y = [-1, 1]) translate([x * case_screw_x, y * case_screw_y, -case_high - 1]) {
        cylinder(d = m3, h = case_high + 2);
        cylinder(d = 6.6, h = case_high - 6, $fn = 6);
    }
    // USB at the end of the board, cables at the side of the motor
    translate([usb_x - 8, -in_y / 2 - 10, -case_high + wall + 8]) cube([16, 20, 14]);
    translate([in_x / 2 - 1, -30, -case_high + wall + 8]) cube([20, 60, 12]);
}

// The board lies on these.
module feet() for (x = [-1, 1], y = [-1, 1]) translate([x * (perf_x / 2 - 3) - 3, y * (perf_y / 2 - 3) - 3, -case_high + wall - 0.1])
    cube([6, 6, 5.1]);

union() {
    case();
    feet();
}

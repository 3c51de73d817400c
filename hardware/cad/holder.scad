// Holds the sensor's board under the window, at its distance, and keeps the room's light out. Print black, upper side down.
include <params.scad>
use <deck.scad>

top = -sheet - flange;
pcb = -distance - chip;  // upper side of the board
outer = board + 2 * play + 2 * wall;

module holder() difference() {
    union() {
        translate([-flange_x / 2, -flange_y / 2, pcb]) cube([flange_x, flange_y, top - pcb]);
        translate([board_x - outer / 2, board_y - outer / 2, pcb - board_thick - 1.5]) cube([outer, outer, top - pcb + board_thick + 1.5]);
    }
    // the light well, with the bar between lamp and sensor
    difference() {
        translate([0, 0, pcb - 1]) cylinder(d = bore, h = 20);
        translate([-bar / 2, -bore, -distance + bar_low]) cube([bar, 2 * bore, bar_high - bar_low]);
    }
    // the board, and the parts on it; the two corners with the screws stay, as stops
    translate([board_x, board_y, 0]) {
        translate([-board / 2 - play, -board / 2 - play, pcb - 20]) cube([board + 2 * play, board + 2 * play, 20]);
        difference() {
            translate([-board / 2 + 1, -board / 2 + 1, pcb - 1]) cube([board - 2, board - 2, parts_high + 1]);
            for (x = [-1, 1]) translate([x * board_hole_x, board_hole_y, pcb - 2]) cylinder(d = 6.5, h = 20);
        }
        for (x = [-1, 1]) translate([x * board_hole_x, board_hole_y, -30]) cylinder(d = m25, h = 40);
        // the cable leaves under the board
        translate([-9, -outer, pcb - 20]) cube([18, outer, 20 - board_thick]);
    }
    translate([0, 0, -40]) linear_extrude(60) at_flap_screws() circle(d = m3);
}

holder();

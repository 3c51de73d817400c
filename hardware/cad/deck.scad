// The deck, seen from above: to cut by laser (deck.svg, deck.dxf), or to print.
include <params.scad>

half = deck / 2;

// Where screws and pegs go; the other parts use the same points.
module at_flap_screws() for (x = [-1, 1], y = [-1, 1]) translate([x * flap_screw_x, y * flap_screw_y]) children();
module at_mount_screws() for (y = [-1, 1]) translate([axis, y * mount_y]) children();
module at_case_screws() for (x = [-1, 1], y = [-1, 1]) translate([case_x + x * case_screw_x, y * case_screw_y]) children();
module at_posts() for (x = [-1, 1], y = [-1, 1]) translate([x * post_x, y * post_y]) children();
module at_row_screws() for (x = [-1, 1]) translate([x * row_screw, row_y]) children();
module at_corners() for (a = [0:90:270]) rotate(a + 45) translate([(half - corner / 2) * sqrt(2) - 5, 0]) children();
module at_sides() for (a = [0, 90, 270]) rotate(a) translate([0, half - 3]) children();


module deck_2d() difference() {
    polygon([
        [-half + corner, -half], [half - corner, -half], [half, -half + corner], [half, half - corner],
        [half - corner, half], [-half + corner, half], [-half, half - corner], [-half, -half + corner],
    ]);
    circle(d = flap);
    at_flap_screws() circle(d = m3, $fn = 16);
    at_mount_screws() circle(d = m3, $fn = 16);
    at_case_screws() circle(d = m3, $fn = 16);
    at_posts() circle(d = m3, $fn = 16);
    at_row_screws() circle(d = m3, $fn = 16);
    at_corners() for (y = [-1, 1]) translate([0, y * railing_pitch / 2]) circle(d = 4, $fn = 16);
    at_sides() for (x = [-1, 1]) translate([x * rail_pitch / 2, 0]) circle(d = 4, $fn = 16);
    translate([half - corner - 8, -half + 30]) circle(d = 12);  // the eye's switch
    translate([-row_screw + 14, row_y + 12]) circle(d = 8, $fn = 16);     // wires of the lights
}

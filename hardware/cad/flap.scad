// The flap in the middle of the deck, with the window. Print black, upper side down.
include <params.scad>
use <deck.scad>

bowl = 0;  // 1: with the bowl that holds the die a little

module flap(bowl = 0) {
    depth = bowl ? recess : 0;
    mirror([0, 0, 1]) difference() {
        union() {
            cylinder(d = flap - 2 * play, h = sheet + flange);
            translate([-flange_x / 2, -flange_y / 2, sheet]) cube([flange_x, flange_y, flange]);
        }
        // the bowl
        if (bowl) translate([0, 0, -1]) cylinder(d = 2 * (0.577 * die_edge + 1.5), h = depth + 1);
        // the window, and the well below the lip
        translate([0, 0, -1]) cylinder(d = window, h = 20);
        translate([0, 0, depth + lip]) cylinder(d = bore, h = 20);
        translate([0, 0, -1]) linear_extrude(20) at_flap_screws() circle(d = m3);
        // room for the tips of the screws of the sensor's board, both ways round
        for (turn = [0, 180], x = [-1, 1]) rotate(turn)
            translate([board_x + x * board_hole_x, board_y + board_hole_y, sheet + flange - screw_room]) cylinder(d = 4, h = 20);
    }
}

flap(bowl);

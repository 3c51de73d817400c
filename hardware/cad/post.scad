// A leg, when the deck stands on its own. Print upright.
include <params.scad>

// z = 0 is its upper end, against the deck.
module post() difference() {
    translate([-7, -7, -post]) cube([14, 14, post]);
    translate([0, 0, -14]) cylinder(d = 2.8, h = 20);  // the screw cuts its own thread
}

post();

// The arm on the motor's shaft with the magnets at its end. Print upper side down; the cap closes the magnets in.
include <params.scad>

part = "arm";  // or "cap"
pocket = magnet + 2 * play;
hub_high = 5.2;

// The arm lies along +x from the shaft; z = 0 is its upper side.
module arm() mirror([0, 0, 1]) difference() {
    union() {
        cylinder(d = hub, h = hub_high);
        hull() {
            cylinder(d = hub, h = 3);
            translate([arm_radius, 0, 0]) cylinder(d = pocket + 2 * skin, h = 3);
        }
        translate([arm_radius, 0, 0]) cylinder(d = pocket + 2 * skin, h = arm_high);
    }
    translate([arm_radius, 0, skin]) cylinder(d = pocket, h = arm_high);
    difference() {
        translate([0, 0, -1]) cylinder(d = shaft + play, h = 20);
        translate([shaft_flat - shaft / 2 + play / 2, -5, -2]) cube([10, 10, 30]);
    }
}

module cap() cylinder(d = magnet + play, h = skin);

if (part == "arm") arm(); else cap();

// What closes a corner, and the rail along a side: both stand in holes of the deck on two pegs. Print upside down.
include <params.scad>

pitch = railing_pitch;
long = railing_long;
high = 14;

// z = 0 is its underside.
module railing(pitch, long) {
    translate([-long / 2, -1.5, 0]) cube([long, 3, high]);
    for (x = [-1, 1]) translate([x * pitch / 2, 0, -sheet + 0.2]) cylinder(d = 3.6, h = sheet + 1);
    for (x = [-1, 1]) translate([x * pitch / 2, 0, 0]) cylinder(d = 6, h = high);
}

railing(pitch, long);

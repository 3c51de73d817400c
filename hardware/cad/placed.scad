// Every part at its place, as bodies: a test compares the volume of all with the sum of each. Nothing here is printed.
include <params.scad>
use <assembly.scad>
use <deck.scad>
use <flap.scad>
use <holder.scad>
use <mount.scad>
use <chip_row.scad>
use <case.scad>
use <post.scad>
use <railing.scad>

only = "all";
parts = ["deck", "flap", "holder", "board", "mount", "motor", "arm", "row", "case", "electronics", "posts", "rails", "die", "eye"];

// Everything that the arm passes through on its way round.
module arm_round() translate([axis, 0, -sheet - arm_gap]) mirror([0, 0, 1]) {
    reach = magnet / 2 + play + skin;
    cylinder(r = arm_radius + reach, h = 3);
    cylinder(d = hub, h = 5.2);
    difference() {
        cylinder(r = arm_radius + reach, h = arm_high);
        translate([0, 0, -1]) cylinder(r = arm_radius - reach, h = arm_high + 2);
    }
}

module part(name) {
    if (name == "deck") translate([0, 0, -sheet]) linear_extrude(sheet) deck_2d();
    if (name == "flap") flap(0);
    if (name == "holder") holder();
    if (name == "board") sensor();
    if (name == "mount") mount();
    if (name == "motor") motor(shaft_too = false);
    if (name == "arm") arm_round();
    if (name == "row") translate([0, row_y, 0]) chip_row();
    if (name == "case") translate([case_x, 0, -sheet]) case();
    if (name == "electronics") electronics();
    if (name == "posts") at_posts() translate([0, 0, -sheet]) post();
    if (name == "rails") {
        at_corners() rotate(90) railing(railing_pitch, railing_long);
        at_sides() railing(rail_pitch, rail_long);
    }
    if (name == "die") die();
    if (name == "eye") translate([axis + arm_radius, 0, eye / 2]) sphere(d = eye);
}

if (only == "all") for (name = parts) part(name); else part(only);

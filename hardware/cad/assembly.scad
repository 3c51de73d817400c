// Pictures for the guide: view names one. Nothing here is printed.
include <params.scad>
use <deck.scad>
use <flap.scad>
use <holder.scad>
use <mount.scad>
use <arm.scad>
use <chip_row.scad>
use <case.scad>
use <post.scad>
use <railing.scad>
use <eye.scad>

view = "whole";

wood = [0.80, 0.66, 0.45];
black = [0.20, 0.20, 0.22];
grey = [0.62, 0.65, 0.70];
steel = [0.75, 0.75, 0.78];
green = [0.10, 0.45, 0.25];
brass = [0.80, 0.65, 0.25];
high = 14;

module the_deck() color(wood) translate([0, 0, -sheet]) linear_extrude(sheet) deck_2d();

module sensor() {
    x = -lamp_x / 2;
    z = -distance - chip;
    translate([x - sensor_x, -sensor_y, 0]) {
        color(green) translate([-board / 2, -board / 2, z - board_thick]) cube([board, board, board_thick]);
        color(brass) for (i = [-3:3]) translate([i * 2.54 - 0.4, -board / 2 + 1.1, z - 10]) cube([0.8, 0.8, 9]);
    }
    color("black") translate([x - 1, -1.2, z]) cube([2, 2.4, chip]);
    color("white") translate([x + lamp_x - 1, -1.4, z]) cube([2, 2.8, chip]);
}

module motor(shaft_too = true) {
    face = -sheet - arm_gap - arm_high - 1.4 + 2 - 1.6;
    translate([axis, 0, face]) {
        color(brass) translate([-gear_x / 2, -gear_y / 2, -gear_long]) cube([gear_x, gear_y, gear_long]);
        color(steel) translate([0, 0, -gear_long - 15]) intersection() {
            cylinder(d = gear_x, h = 15);
            translate([-gear_x, -gear_y / 2, 0]) cube([2 * gear_x, gear_y, 15]);
        }
        if (shaft_too) color(steel) cylinder(d = shaft, h = shaft_long);
    }
}

module the_arm(angle) translate([axis, 0, -sheet - arm_gap]) rotate(angle) {
    color(grey) arm();
    color("red") translate([arm_radius, 0, -arm_high]) cap();
}

module electronics() translate([case_x, 0, -case_high + wall + 5]) {
    color([0.85, 0.75, 0.5]) translate([-perf_x / 2, -perf_y / 2, 0]) cube([perf_x, perf_y, 1.6]);
    color(green) translate([-perf_x / 2 + 4.5 + 2 * 2.54, -perf_y / 2 + 7, 12]) cube([21, 51, 1]);
    color([0.1, 0.2, 0.6]) translate([-perf_x / 2 + 4.5 + 2 * 2.54, -perf_y / 2 + 62, 4]) cube([25, 18, 1.6]);
}

module die() translate([0, 0, sqrt(2 / 3) * die_edge / 2]) color([0.85, 0.2, 0.2]) rotate([0, -54.7356, 0]) rotate(-45) scale(die_edge / sqrt(2)) polyhedron(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]],
    [[0, 4, 2], [2, 4, 1], [1, 4, 3], [3, 4, 0], [2, 5, 0], [1, 5, 2], [3, 5, 1], [0, 5, 3]]);

module above() {
    the_deck();
    color(black) flap(0);
    color(grey) translate([0, row_y, 0]) chip_row();
    color(grey) at_corners() rotate(90) railing(railing_pitch, railing_long);
    color(grey) at_sides() railing(rail_pitch, rail_long);
}

module below() {
    color(black) holder();
    sensor();
    color(grey) mount();
    motor();
    the_arm(160);
    color(grey) translate([case_x, 0, -sheet]) case();
    electronics();
    color(grey) at_posts() translate([0, 0, -sheet]) post();
}

module the_eye() translate([axis + arm_radius * cos(160), arm_radius * sin(160), eye / 2]) color([0.95, 0.95, 0.9]) {
    eye_half();
    mirror([0, 0, 1]) eye_half();
}

if (view == "whole") {
    above();
    below();
    die();
    the_eye();
}
if (view == "below") {
    the_deck();
    color(black) flap(0);
    below();
}
// Half of what is near the window.
module half() render() intersection() {
    children();
    translate([-34, 0, -60]) cube([68, 40, 120]);
}
if (view == "section") {
    color(wood) half() the_deck();
    color([0.15, 0.15, 0.17]) half() flap(0);
    color([0.45, 0.45, 0.5]) half() holder();
    color(green) half() sensor();
    color([0.85, 0.2, 0.2]) half() die();
}
if (view == "sensor") {
    the_deck();
    color(black) flap(0);
    color([0.35, 0.35, 0.38]) translate([0, 0, -12]) holder();
    translate([0, 0, -30]) sensor();
}
if (view == "motor") {
    the_deck();
    color(black) flap(0);
    color(grey) translate([0, 0, -14]) mount();
    translate([0, 0, -40]) motor();
    translate([0, 0, -4]) the_arm(160);
}
if (view == "lights") {
    the_deck();
    color(black) flap(0);
    color(grey) translate([0, row_y, 14]) chip_row();
    color("white") translate([-led_pitch * leds / 2, row_y - strip / 2, 0]) cube([led_pitch * leds, strip, 1]);
    color("yellow") for (i = [0:leds - 1]) translate([(i - (leds - 1) / 2) * led_pitch - 2.5, row_y - 2.5, 1]) cube([5, 5, 1.5]);
}
if (view == "case") {
    the_deck();
    color(black) flap(0);
    color(grey) translate([case_x, 0, -sheet - 40]) case();
    translate([0, 0, -20]) electronics();
    color(grey) at_posts() translate([0, 0, -sheet]) post();
}
if (view == "eye") {
    color([0.95, 0.95, 0.9]) eye_half();
    color(steel) translate([0, 0, -5]) sphere(d = 16);
    color([0.95, 0.95, 0.9]) translate([0, 0, -20]) mirror([0, 0, 1]) eye_half();
}
if (view == "parts") {
    color(black) translate([-70, 45, 0]) rotate([180, 0, 0]) flap(0);
    color(black) translate([-15, 45, 0]) rotate([180, 0, 0]) holder();
    color(grey) translate([-axis + 40, 45, 0]) rotate([180, 0, 0]) mount();
    color(grey) translate([80, 60, 0]) rotate([180, 0, 0]) arm();
    color("red") translate([100, 80, 0]) cap();
    color(grey) translate([-50, -60, case_high]) case();
    color(grey) translate([30, -40, 9]) rotate([180, 0, 0]) chip_row();
    color(grey) for (i = [0:3]) translate([20 + 20 * i, -70, post]) post();
    color(grey) for (i = [0:3]) translate([30 + 14 * i, -110, high]) rotate([180, 0, 90]) railing(railing_pitch, railing_long);
    color(grey) for (i = [0:2]) translate([0, -140 - 12 * i, high]) rotate([180, 0, 0]) railing(rail_pitch, rail_long);
    color([0.95, 0.95, 0.9]) for (i = [0:1]) translate([105, -110 + 45 * i, 0]) eye_half();
}

// Carries the motor below the arm. Print as it is drawn turned over: motor side up.
include <params.scad>

under = -sheet;
bar_top = under - arm_gap - arm_high - 1.4;
boss_top = bar_top + 2;
face = boss_top - 1.6;
reach = mount_y + 5;

module mount() difference() {
    union() {
        translate([axis - 8, -reach, bar_top - 4]) cube([16, 2 * reach, 4]);
        for (y = [-1, 1]) translate([axis - 8, y * mount_y - 5, bar_top - 4]) cube([16, 10, under - bar_top + 4]);
        translate([axis - gear_x / 2 - wall - play, -gear_y / 2 - wall - play, face - gear_long - 4])
            cube([gear_x + 2 * (wall + play), gear_y + 2 * (wall + play), boss_top - face + gear_long + 4]);
    }
    translate([axis - gear_x / 2 - play, -gear_y / 2 - play, face - 60]) cube([gear_x + 2 * play, gear_y + 2 * play, 60]);
    translate([axis, 0, face - 1]) cylinder(d = 5, h = 20);
    for (y = [-1, 1]) translate([axis, y * mount_y, -60]) cylinder(d = m3, h = 80);
    // a cable tie holds the motor
    translate([axis - 20, -1.8, face - gear_long - 3]) cube([40, 3.6, 1.8]);
}

mount();

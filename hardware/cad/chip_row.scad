// The row of six lights on the deck's edge: over the strip, or with plain 5 mm LEDs. Print upper side down.
include <params.scad>

long = led_pitch * leds + 20;
wide = strip + 2 * wall + 0.6;
high = 9;

// z = 0 is the underside.
module chip_row() difference() {
    translate([-long / 2, -wide / 2, 0]) cube([long, wide, high]);
    translate([-led_pitch * leds / 2 - 0.5, -strip / 2 - 0.3, -1]) cube([led_pitch * leds + 1, strip + 0.6, high - wall + 1]);
    for (i = [0:leds - 1]) translate([(i - (leds - 1) / 2) * led_pitch, 0, -1]) cylinder(d = led + 0.3, h = 20);
    for (x = [-1, 1]) translate([x * row_screw, 0, -1]) cylinder(d = m3, h = 20);
    translate([-led_pitch * leds / 2 + 3, 0, -1]) cube([6, 20, 5]);
}

chip_row();

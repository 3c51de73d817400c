// All lengths in mm. z = 0 is the deck's upper side, x = y = 0 the middle of the window.
// Only numbers and + - * / ( ) here: tools/geometry.py reads this file, too.

// -- the game; measure yours --
deck = 210;          // side of the deck: what fits into your box. Not measured on the original
corner = 35;         // legs of the cut corners, through which droppings fall
die_edge = 25;       // edge of the octahedron: 20 to 30
eye = 38;            // diameter of the eye

// -- deck, flap and window --
sheet = 3;           // thickness of the deck
window = 7;          // must stay below the in-circle of the die's face (0.577 × edge) less its play
lip = 1.5;           // thickness of the flap around the window
recess = 1;          // depth of the bowl in the variant that holds the die a little
flap = 36;           // diameter of the flap in the deck
flange_x = 38;       // the flap's flange under the deck; narrow towards the arm
flange_y = 56;
flange = 2;
flap_screw_x = 12;
flap_screw_y = 23;
play = 0.2;          // between parts that go into each other

// -- sensor: Adafruit's TCS34725 board --
distance = 7;        // from the sensor to the die's face
chip = 1;            // sensor and lamp above the board (assumed)
board = 20.32;
board_thick = 1.6;
sensor_x = 0.30;     // of the chip from the board's middle
sensor_y = -0.16;
lamp_x = -3.22;      // of the lamp from the chip
board_hole_x = 7.62; // of the two holes from the board's middle
board_hole_y = 7.62;
bore = 12;           // of the light well
bar = 1.2;           // between lamp and sensor: thickness
bar_low = 0.5;       // above the sensor: its lower
bar_high = 1.7;      // ... and upper side
parts_high = 1.8;    // free height for the parts on the sensor's board

// -- arm and motor: N20 --
near = 28;           // how near the arm's magnet comes to the middle of the window
rail = 6;            // what a rail takes from the deck
arm_radius = (deck / 2 - rail - eye / 2 - near) / 2;
axis = near + arm_radius;
magnet = 10;
magnet_high = 6;     // two of 3 mm
skin = 1.2;          // between magnet and air, both sides
arm_gap = 1;         // between arm and deck
shaft = 3;
shaft_flat = 2.5;
shaft_long = 9;
gear_x = 12;
gear_y = 10;
gear_long = 9;
hub = 10;
wall = 2.4;

// -- case, lights, posts --
perf_x = 70;
perf_y = 90;
case_high = 32;
led_pitch = 16.667;  // 60 LEDs a metre
led = 5;
leds = 6;
strip = 10;
post = 52;
m3 = 3.3;
m25 = 2.1;           // a 2.5 mm screw for plastic cuts its own thread

// -- places that several parts share --
board_x = -lamp_x / 2 - sensor_x;                                // of the sensor's board: the middle between lamp
board_y = -sensor_y;                                             // and chip lies under the window
board_screw = 5;                                                 // length of its screws
screw_room = 1;                                                  // for their tips, in the flap
arm_high = magnet_high + 2 * skin;
mount_y = arm_radius + magnet / 2 + skin + 2 + 5;                // of the mount's screws, from the axis
case_x = -flange_x / 2 - 2 - (perf_x + 2 * wall + 1) / 2;     // the case's middle
case_screw_x = perf_x / 2 - 18;
case_screw_y = perf_y / 2 + wall + 0.5 + 4.5;
row_y = 14 - deck / 2;                                           // the row of lights' middle
row_screw = led_pitch * leds / 2 + 4;
post_x = deck / 2 - 14;
post_y = deck / 2 - corner - 14;
rail_pitch = 100;                                                // between the pegs of a rail
rail_long = deck - 2 * corner - 4;
railing_pitch = 30;                                              // ... and of a corner's railing
railing_long = 46;

$fn = 48;

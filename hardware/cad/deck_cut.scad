include <params.scad>
use <deck.scad>

solid = false;  // true: to print

if (solid) linear_extrude(sheet) deck_2d(); else deck_2d();

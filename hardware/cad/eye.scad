// Half of the eye: glue two together around the steel ball. Print flat side down.
include <params.scad>

shell = 2;

module eye_half() difference() {
    sphere(d = eye);
    sphere(d = eye - 2 * shell);
    translate([-eye, -eye, -2 * eye]) cube([2 * eye, 2 * eye, 2 * eye]);
}

eye_half();

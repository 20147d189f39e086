/**
 * The reclaimer as a whole, seen from outside: a cluster whose truth is known, everything that can
 * go wrong around it, and a referee who looks at nothing but the truth.
 */
@NullMarked
package io.gpureclaimer.reclaimer.faults;

import org.jspecify.annotations.NullMarked;

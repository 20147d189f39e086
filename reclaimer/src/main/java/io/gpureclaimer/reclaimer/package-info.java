/** The cluster's controller. */
@NullMarked
package io.gpureclaimer.reclaimer;

import org.jspecify.annotations.NullMarked;

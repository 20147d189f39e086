/** The cluster by itself: what the other scenarios take for granted. */
@NullMarked
package io.gpureclaimer.verification.scenario.cluster;

import org.jspecify.annotations.NullMarked;

/** The cluster as the reclaimer sees it, and the few verbs that change it. */
@NullMarked
package io.gpureclaimer.reclaimer.cluster;

import org.jspecify.annotations.NullMarked;

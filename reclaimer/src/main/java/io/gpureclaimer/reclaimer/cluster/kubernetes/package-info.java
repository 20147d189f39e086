/** The cluster behind a real API server: watches for looking, a few verbs for changing. */
@NullMarked
package io.gpureclaimer.reclaimer.cluster.kubernetes;

import org.jspecify.annotations.NullMarked;

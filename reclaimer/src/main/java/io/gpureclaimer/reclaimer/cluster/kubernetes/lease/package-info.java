/** Leadership by a Lease. */
@NullMarked
package io.gpureclaimer.reclaimer.cluster.kubernetes.lease;

import org.jspecify.annotations.NullMarked;

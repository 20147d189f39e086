/** A cluster in memory: scheduler, owners, disruption budgets and an API that answers alike. */
@NullMarked
package io.gpureclaimer.reclaimer.cluster.simulated;

import org.jspecify.annotations.NullMarked;

/** Two replicas, one of which stops working at the worst moments. */
@NullMarked
package io.gpureclaimer.verification.scenario.leadership;

import org.jspecify.annotations.NullMarked;

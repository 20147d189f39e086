/** From an idle GPU to the pod that waited for it: the whole product, as pods. */
@NullMarked
package io.gpureclaimer.verification.scenario.reclaim;

import org.jspecify.annotations.NullMarked;

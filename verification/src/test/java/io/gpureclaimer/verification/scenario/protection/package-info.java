/** Whom the reclaimer leaves alone, and whom it does not, as the API server has it. */
@NullMarked
package io.gpureclaimer.verification.scenario.protection;

import org.jspecify.annotations.NullMarked;

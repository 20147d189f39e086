/** The rights that we ship: every one is needed, and they are all there is. */
@NullMarked
package io.gpureclaimer.verification.scenario.privilege;

import org.jspecify.annotations.NullMarked;

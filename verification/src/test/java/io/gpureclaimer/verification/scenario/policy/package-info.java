/** What people write on their objects, as the API server takes it. */
@NullMarked
package io.gpureclaimer.verification.scenario.policy;

import org.jspecify.annotations.NullMarked;

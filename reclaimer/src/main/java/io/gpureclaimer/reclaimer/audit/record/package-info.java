/** One record for each decision, with everything that is needed to decide again. */
@NullMarked
package io.gpureclaimer.reclaimer.audit.record;

import org.jspecify.annotations.NullMarked;

/** Pauses before something that failed is tried again. */
@NullMarked
package io.gpureclaimer.core.retry;

import org.jspecify.annotations.NullMarked;

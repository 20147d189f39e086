/** The rules that Prometheus loads. */
@NullMarked
package io.gpureclaimer.verification.rules;

import org.jspecify.annotations.NullMarked;

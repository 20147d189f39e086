/** What needs both programs: the demo and the tests of the whole loop. */
@NullMarked
package io.gpureclaimer.verification;

import org.jspecify.annotations.NullMarked;

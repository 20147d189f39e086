/** The product on a laptop: real programs, a simulated driver and a simulated cluster. */
@NullMarked
package io.gpureclaimer.verification.demo;

import org.jspecify.annotations.NullMarked;

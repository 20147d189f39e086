/** What the evidence says about a workload under its policy. Pure: no I/O, no clock. */
@NullMarked
package io.gpureclaimer.reclaimer.verdict;

import org.jspecify.annotations.NullMarked;

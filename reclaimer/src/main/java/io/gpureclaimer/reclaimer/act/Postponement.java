package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Instant;

/**
 * A workload that is left out of the plan for a while, because what was tried last did not work.
 *
 * @param verdict which one
 * @param notBefore when it may be tried again
 * @param why what came of the last try
 */
public record Postponement(Verdict verdict, Instant notBefore, String why) {}

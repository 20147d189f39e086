/** What was seen, decided and done, for people and machines: the report, the log, the metrics. */
@NullMarked
package io.gpureclaimer.reclaimer.audit;

import org.jspecify.annotations.NullMarked;

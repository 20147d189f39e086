/**
 * The conductor: the jobs and the factories that wire the rooms; no logic. Jobs are made with the
 * program, after its configuration: a schedule may begin before the program stands, when a job can
 * no longer be made.
 */
@NullMarked
package io.gpureclaimer.exporter.schedule;

import org.jspecify.annotations.NullMarked;

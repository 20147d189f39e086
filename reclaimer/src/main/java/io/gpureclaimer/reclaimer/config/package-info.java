/** What can be configured, one record for each prefix, checked at the start. */
@NullMarked
package io.gpureclaimer.reclaimer.config;

import org.jspecify.annotations.NullMarked;

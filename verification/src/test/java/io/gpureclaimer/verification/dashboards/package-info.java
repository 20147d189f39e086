/**
 * The dashboards of {@code grafana/}: made from their sources, and compared with what they rest on.
 */
@NullMarked
package io.gpureclaimer.verification.dashboards;

import org.jspecify.annotations.NullMarked;

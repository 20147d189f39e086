/** The web configuration file of Prometheus exporters: TLS, passwords and headers. */
@NullMarked
package io.gpureclaimer.exporter.web;

import org.jspecify.annotations.NullMarked;

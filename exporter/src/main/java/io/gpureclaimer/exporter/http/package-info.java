@NullMarked
package io.gpureclaimer.exporter.http;

import org.jspecify.annotations.NullMarked;

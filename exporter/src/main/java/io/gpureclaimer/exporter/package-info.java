@NullMarked
package io.gpureclaimer.exporter;

import org.jspecify.annotations.NullMarked;

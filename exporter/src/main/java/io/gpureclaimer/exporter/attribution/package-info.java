/** Who holds which device. */
@NullMarked
package io.gpureclaimer.exporter.attribution;

import org.jspecify.annotations.NullMarked;

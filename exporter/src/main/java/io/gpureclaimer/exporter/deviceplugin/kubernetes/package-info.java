/** What the device plugin needs of the API server, if it needs it. */
@NullMarked
package io.gpureclaimer.exporter.deviceplugin.kubernetes;

import org.jspecify.annotations.NullMarked;

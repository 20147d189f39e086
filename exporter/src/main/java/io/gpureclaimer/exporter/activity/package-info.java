/** The ledger: when each holder was last active, and since when we have been watching. */
@NullMarked
package io.gpureclaimer.exporter.activity;

import org.jspecify.annotations.NullMarked;

/** JSON as text: what is written for machines, and what is read back. */
@NullMarked
package io.gpureclaimer.reclaimer.json;

import org.jspecify.annotations.NullMarked;

/** The labels of a node: which there are, and the places where they are made known. */
@NullMarked
package io.gpureclaimer.core.labels;

import org.jspecify.annotations.NullMarked;

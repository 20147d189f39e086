/** Names that both programs must agree on: metrics, labels, annotations, resources. */
@NullMarked
package io.gpureclaimer.core.vocabulary;

import org.jspecify.annotations.NullMarked;

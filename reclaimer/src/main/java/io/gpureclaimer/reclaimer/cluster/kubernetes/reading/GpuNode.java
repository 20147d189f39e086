package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.gpureclaimer.reclaimer.cluster.NodeView;

/**
 * A node that offers {@code nvidia.com/gpu}.
 *
 * @param view the node
 * @param shared whether what it offers under that name are shares or MIG slices of GPUs, so that
 *     its pods hold no whole ones
 */
public record GpuNode(NodeView view, boolean shared) {}

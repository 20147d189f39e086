package io.gpureclaimer.nvml.poll;

/**
 * Where in an NVLink fabric a GPU is: GPUs of one cluster and clique reach each other's memory.
 *
 * @param cluster the UUID of the fabric's cluster
 * @param clique the number of the clique in it
 */
public record FabricPlace(String cluster, long clique) {
  @Override
  public String toString() {
    return cluster + '.' + clique;
  }
}

package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.core.device.Entity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything one sampling pass saw.
 *
 * @param at when the pass began; each GPU that answered tells when its own turn began
 * @param hostname the node's name
 * @param driver whether the driver could be asked
 * @param gpus one entry per device of the driver, in the driver's order; empty when it is down
 * @param holders who holds which device, each once; a device that nobody holds has no entry
 * @param report how the pass went
 */
public record Snapshot(
    Instant at,
    String hostname,
    DriverState driver,
    List<GpuSample> gpus,
    Map<Entity, List<Holder>> holders,
    PassReport report) {

  public Snapshot {
    gpus = List.copyOf(gpus);
    var copy = LinkedHashMap.<Entity, List<Holder>>newLinkedHashMap(holders.size());
    holders.forEach((device, list) -> copy.put(device, list.stream().distinct().toList()));
    holders = Map.copyOf(copy);
  }

  /** The same pass, with who holds which device. */
  public Snapshot withHolders(Map<Entity, List<Holder>> who) {
    return new Snapshot(at, hostname, driver, gpus, who, report);
  }

  /** The same pass, with other samples. */
  public Snapshot withGpus(List<GpuSample> samples) {
    return new Snapshot(at, hostname, driver, samples, holders, report);
  }

  /** Who holds this device; empty when nobody is known to. */
  public List<Holder> holdersOf(Entity device) {
    return holders.getOrDefault(device, List.of());
  }
}

package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Everything one sampling pass saw.
 *
 * @param at when the pass began; each GPU that answered has the time of its own poll
 * @param hostname the node's name
 * @param driver whether the driver could be asked
 * @param gpus one entry per device of the driver, in the driver's order; empty when it is down
 * @param holdings which pods hold which device and how, each once; a free device has no entry
 * @param unplaced holders of a device that is not identified; once for each such device
 * @param jobs which jobs of a batch scheduler run where
 * @param uses what single containers use of the devices they hold
 * @param report how the pass went
 */
public record Snapshot(
    Instant at,
    String hostname,
    DriverState driver,
    List<GpuSample> gpus,
    Map<Entity, List<DeviceAssignment>> holdings,
    List<Holder> unplaced,
    Jobs jobs,
    ContainerUsage uses,
    PassReport report) {

  public Snapshot {
    gpus = List.copyOf(gpus);
    unplaced = List.copyOf(unplaced);
    holdings = isSettled(holdings) ? Map.copyOf(holdings) : each(holdings, Snapshot::distinct);
  }

  /** A pass of which only the holders are known. */
  public Snapshot(
      Instant at,
      String hostname,
      DriverState driver,
      List<GpuSample> gpus,
      Map<Entity, List<Holder>> holders,
      PassReport report) {
    this(
        at,
        hostname,
        driver,
        gpus,
        each(holders, list -> list.stream().map(DeviceAssignment::of).toList()),
        List.of(),
        Jobs.NOT_ASKED,
        new ContainerUsage.NotEnabled(),
        report);
  }

  /** The same pass, with who holds which device. */
  public Snapshot withHoldings(Map<Entity, List<DeviceAssignment>> who) {
    return new Snapshot(at, hostname, driver, gpus, who, unplaced, jobs, uses, report);
  }

  /** The same pass, with the holders of devices that are not identified. */
  public Snapshot withUnplaced(List<Holder> who) {
    return new Snapshot(at, hostname, driver, gpus, holdings, who, jobs, uses, report);
  }

  /** The same pass, with the jobs of a batch scheduler. */
  public Snapshot withJobs(Jobs running) {
    return new Snapshot(at, hostname, driver, gpus, holdings, unplaced, running, uses, report);
  }

  /** The same pass, with what single containers use. */
  public Snapshot withUses(ContainerUsage found) {
    return new Snapshot(at, hostname, driver, gpus, holdings, unplaced, jobs, found, report);
  }

  /** The same pass, with other samples. */
  public Snapshot withGpus(List<GpuSample> samples) {
    return new Snapshot(at, hostname, driver, samples, holdings, unplaced, jobs, uses, report);
  }

  /** The processes on each device whose driver reports them. */
  public Map<Entity, DeviceProcesses> processes() {
    var all = new LinkedHashMap<Entity, DeviceProcesses>();
    for (GpuSample sample : gpus) {
      if (sample instanceof GpuSample.Answered answered) {
        all.putAll(answered.processes());
      }
    }
    return all;
  }

  /** Who holds which device, each once, however many shares of it. */
  public Map<Entity, List<Holder>> holders() {
    return each(holdings, list -> list.stream().map(DeviceAssignment::holder).distinct().toList());
  }

  /** The holders of this device, each once; empty when none is known. */
  public List<Holder> holdersOf(Entity device) {
    return holdingsOf(device).stream().map(DeviceAssignment::holder).distinct().toList();
  }

  /** The holders of this device and how they hold it; empty when none is known. */
  public List<DeviceAssignment> holdingsOf(Entity device) {
    return holdings.getOrDefault(device, List.of());
  }

  /** Who holds the GPU or one of its MIG instances, and how. */
  public List<DeviceAssignment> holdingsOnAnyPartOf(GpuUuid gpu) {
    return holdings.entrySet().stream()
        .filter(device -> device.getKey().gpu().equals(gpu))
        .sorted(Comparator.comparingInt(device -> device.getKey().instanceId().orElse(-1)))
        .flatMap(device -> device.getValue().stream())
        .toList();
  }

  /** As another snapshot left it: a pass has several, and mostly nothing is left to do. */
  @SuppressWarnings("ReferenceEquality") // a list of which there is no copy to make is immutable
  private static boolean isSettled(Map<Entity, List<DeviceAssignment>> holdings) {
    for (var list : holdings.values()) {
      if (list.size() > 1 || List.copyOf(list) != list) {
        return false;
      }
    }
    return true;
  }

  private static List<DeviceAssignment> distinct(List<DeviceAssignment> list) {
    return List.copyOf(new LinkedHashSet<>(list));
  }

  private static <A, B> Map<Entity, List<B>> each(
      Map<Entity, List<A>> map, Function<List<A>, List<B>> change) {
    var changed = LinkedHashMap.<Entity, List<B>>newLinkedHashMap(map.size());
    map.forEach((device, list) -> changed.put(device, change.apply(list)));
    return Map.copyOf(changed);
  }
}

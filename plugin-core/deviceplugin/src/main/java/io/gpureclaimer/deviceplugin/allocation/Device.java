package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.MigFacts;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A GPU, or a MIG device of one, that containers can be given.
 *
 * @param uuid {@code GPU-…} or {@code MIG-…}
 * @param index where the driver has it in its list
 * @param entity what can be healthy or not
 * @param profile of a MIG device; null for a whole GPU
 * @param files the device files that open it and nothing else; empty if not known
 * @param numaNode that it is near to; null if not known
 * @param memoryBytes that it has; null if not known
 * @param capability its CUDA compute capability; null if not known
 */
public record Device(
    String uuid,
    DeviceIndex index,
    Entity entity,
    @Nullable String profile,
    List<Path> files,
    @Nullable Integer numaNode,
    @Nullable Long memoryBytes,
    @Nullable ComputeCapability capability) {
  private static final long BYTES_PER_MIB = 1024L * 1024;

  public Device {
    files = List.copyOf(files);
  }

  /** The whole of a GPU. */
  static Device whole(GpuFacts facts) {
    GpuUuid uuid = facts.gpu().uuid();
    return new Device(
        uuid.value(),
        new DeviceIndex(facts.gpu().index(), null),
        Entity.whole(uuid),
        null,
        List.of(file(facts)),
        facts.numaNode(),
        facts.memoryBytes(),
        facts.capability());
  }

  /** One of the MIG devices of a GPU. */
  static Device part(GpuFacts facts, GpuFacts.PlacedInstance placed) {
    MigFacts mig = placed.facts();
    return new Device(
        mig.uuid(),
        new DeviceIndex(facts.gpu().index(), placed.position()),
        Entity.instance(facts.gpu().uuid(), mig.gpuInstance()),
        mig.profile(),
        files(facts, mig),
        facts.numaNode(),
        bytes(mig.size()),
        facts.capability());
  }

  /** A GPU of which nothing but the UUID is known. */
  static Device unread(GpuUuid uuid, int index) {
    return new Device(
        uuid.value(),
        new DeviceIndex(index, null),
        Entity.whole(uuid),
        null,
        List.of(),
        null,
        null,
        null);
  }

  /** The GPU, or the one that it is a part of. */
  public GpuUuid gpu() {
    return entity.gpu();
  }

  /** Whether it is a MIG device. */
  public boolean isPart() {
    return profile != null;
  }

  private static Path file(GpuFacts facts) {
    return Path.of("/dev/nvidia" + facts.minor());
  }

  private static List<Path> files(GpuFacts facts, MigFacts mig) {
    return mig.gpuInstanceCap() == null || mig.computeInstanceCap() == null
        ? List.of()
        : List.of(file(facts), cap(mig.gpuInstanceCap()), cap(mig.computeInstanceCap()));
  }

  private static Path cap(int minor) {
    return Path.of("/dev/nvidia-caps/nvidia-cap" + minor);
  }

  private static @Nullable Long bytes(@Nullable MigSize size) {
    return size == null ? null : size.memoryMib() * BYTES_PER_MIB;
  }
}

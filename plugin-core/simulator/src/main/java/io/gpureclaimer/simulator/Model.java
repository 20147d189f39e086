package io.gpureclaimer.simulator;

/**
 * What a simulated card is made of.
 *
 * @param name as the driver spells it
 * @param totalMib frame buffer, reserved part included
 * @param reservedMib part of it kept by driver and firmware
 * @param idleWatts drawn when nothing runs
 * @param maxWatts drawn at 100 percent
 * @param idleSmMegahertz clock when nothing runs
 * @param maxSmMegahertz clock while something runs
 * @param memoryMegahertz clock of the memory, always
 * @param memory what the memory is: only HBM has a thermometer
 * @param rowsAreRemapped whether bad rows of memory are replaced (Ampere and newer)
 * @param nvlinkMibPerSecond over all links in both directions at 100 percent; 0 without NVLink
 */
record Model(
    String name,
    int totalMib,
    int reservedMib,
    int idleWatts,
    int maxWatts,
    int idleSmMegahertz,
    int maxSmMegahertz,
    int memoryMegahertz,
    MemoryKind memory,
    boolean rowsAreRemapped,
    int nvlinkMibPerSecond) {

  /** Whether MIG can divide it: of these models, those of Ampere and newer. */
  boolean canBeDivided() {
    return rowsAreRemapped;
  }

  enum MemoryKind {
    HBM,
    GDDR
  }

  static final Model H100 =
      new Model(
          "NVIDIA H100 80GB HBM3",
          81559,
          551,
          70,
          700,
          345,
          1980,
          2619,
          MemoryKind.HBM,
          true,
          400_000);
  static final Model H200 =
      new Model(
          "NVIDIA H200", 143771, 612, 76, 700, 345, 1980, 3201, MemoryKind.HBM, true, 400_000);
  static final Model A100 =
      new Model(
          "NVIDIA A100-SXM4-80GB",
          81920,
          640,
          58,
          400,
          210,
          1410,
          1593,
          MemoryKind.HBM,
          true,
          250_000);
  static final Model T4 =
      new Model("Tesla T4", 15360, 432, 10, 70, 300, 1590, 5001, MemoryKind.GDDR, false, 0);
}

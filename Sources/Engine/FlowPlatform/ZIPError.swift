import Glibc

/// The reason why a ZIP file or one of its entries is refused.
package enum ZIPError: Error, Hashable, Sendable {
  // The file cannot be opened or read.
  case cannotOpen(path: String, errno: Int32)
  case notARegularFile(path: String)
  case cannotRead(errno: Int32)
  case tooLarge(bytes: Int, limit: Int)

  // The ZIP structure is invalid or exceeds a limit.
  case notAZIP
  /// The named part extends beyond the end of the file.
  case truncated(String)
  /// Several end records are possible, so readers could disagree on the archive's contents.
  case ambiguousEnd
  case multipleDisks
  case zip64
  case tooManyEntries(Int, limit: Int)
  case malformedDirectory(String)
  /// Bytes that belong to no entry, or to two.
  case strayBytes(at: Int)
  case expandsTooFar(bytes: Int, limit: Int)

  // Errors of one entry.
  case unsafeName(String, ZIPNameFault)
  case duplicateName(String)
  case encrypted(String)
  case unknownMethod(String, Int)
  case unsupportedFlags(String, Int)
  /// A symbolic link, device, pipe or socket.
  case notAFile(String)
  case headersDisagree(String, field: String)
  case suspiciousRatio(String, compressed: Int, uncompressed: Int)
  case entryTooLarge(String, bytes: Int, limit: Int)
  case damagedData(String)
  case wrongChecksum(String)

  /// True if the file could not be opened or read; false if its contents are at fault.
  package var isAboutTheFile: Bool {
    switch self {
    case .cannotOpen, .notARegularFile, .cannotRead: true
    default: false
    }
  }
}

/// The reason why an entry's name is refused, even though names are never used as paths.
package enum ZIPNameFault: Hashable, Sendable {
  case empty, tooLong, notUTF8, controlCharacter, backslash, absolute, leavesTheArchive, goesBack, emptyPart
  case endsInDotOrSpace, folderWithData, fileUsedAsFolder, secondName
}

extension ZIPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cannotOpen(let path, let errno): "cannot open '\(path)': \(reason(errno))"
    case .notARegularFile(let path): "'\(path)' is not a regular file"
    case .cannotRead(let errno): "cannot read the archive: \(reason(errno))"
    case .tooLarge(let bytes, let limit): "the file has \(bytes) bytes, more than \(limit)"
    case .notAZIP: "it is not a ZIP file, or its end is missing"
    case .truncated(let what): "the file ends within \(what)"
    case .ambiguousEnd: "it has more than one end record"
    case .multipleDisks: "it is one part of a split archive"
    case .zip64: "it uses ZIP64, which no PoolFlow backup needs"
    case .tooManyEntries(let count, let limit): "it has \(count) entries, more than \(limit)"
    case .malformedDirectory(let what): "its directory is damaged: \(what)"
    case .strayBytes(let offset): "the bytes at offset \(offset) belong to no entry or to two"
    case .expandsTooFar(let bytes, let limit): "it would expand to \(bytes) bytes, more than \(limit)"
    case .unsafeName(let name, let fault): "entry \(quoted(name)): \(fault)"
    case .duplicateName(let name): "entry \(quoted(name)) occurs twice (names that differ only in case count as equal)"
    case .encrypted(let name): "entry \(quoted(name)) is encrypted"
    case .unknownMethod(let name, let method): "entry \(quoted(name)) is compressed by method \(method), not deflate"
    case .unsupportedFlags(let name, let flags):
      "entry \(quoted(name)) needs a feature this reader does not have (flags 0x\(String(flags, radix: 16)))"
    case .notAFile(let name): "entry \(quoted(name)) is a link or a device"
    case .headersDisagree(let name, let field): "entry \(quoted(name)): its two headers disagree on the \(field)"
    case .suspiciousRatio(let name, let compressed, let uncompressed):
      "entry \(quoted(name)) would expand \(compressed) bytes to \(uncompressed), which no real backup does"
    case .entryTooLarge(let name, let bytes, let limit):
      "entry \(quoted(name)) has \(bytes) bytes, more than \(limit)"
    case .damagedData(let name): "the data of entry \(quoted(name)) is damaged"
    case .wrongChecksum(let name): "the data of entry \(quoted(name)) does not match its checksum"
    }
  }
}

extension ZIPNameFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "the name is empty"
    case .tooLong: "the name is too long"
    case .notUTF8: "the name is not UTF-8"
    case .controlCharacter: "the name has a control character"
    case .backslash: "the name has a backslash"
    case .absolute: "the name is an absolute path"
    case .leavesTheArchive: "the name points outside the archive"
    case .goesBack: "the name contains '..'"
    case .emptyPart: "the name has an empty part"
    case .endsInDotOrSpace: "a part of the name ends in a dot or a space"
    case .folderWithData: "it is a folder with data"
    case .fileUsedAsFolder: "it is both a file and a folder"
    case .secondName: "it carries a second, different name"
    }
  }
}

private func reason(_ errno: Int32) -> String {
  guard let text = strerror(errno) else { return "error \(errno)" }
  return String(cString: text)
}

/// `name` in quotes, made safe for terminals: cut to 80 characters, control characters replaced.
private func quoted(_ name: String) -> String {
  let plain = name.unicodeScalars.prefix(80).map { scalar in
    scalar.properties.generalCategory == .control ? "?" : String(scalar)
  }
  return "'\(plain.joined())'"
}

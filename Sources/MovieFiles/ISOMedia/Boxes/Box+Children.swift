extension Box {
    /// The first child of this type.
    subscript(type: FourCC) -> Box? {
        children?.first { $0.type == type }
    }

    /// The box that this path of types leads to, the first one at each level.
    func descendant(_ path: FourCC...) -> Box? {
        path.reduce(self as Box?) { $0?[$1] }
    }

    /// The first child of this type.
    ///
    /// - Throws: `invalidBox`, naming this box, where there is none.
    func required(_ type: FourCC) throws(MovieFileError) -> Box {
        guard let child = self[type] else {
            throw .invalidBox(self.type, offset: fileOffset, reason: "it holds no '\(type)' box")
        }
        return child
    }

    /// All children of this type, in order.
    func all(_ type: FourCC) -> [Box] {
        children?.filter { $0.type == type } ?? []
    }

    mutating func removeChildren(where isUnwanted: (Box) -> Bool) {
        children?.removeAll(where: isUnwanted)
    }

    /// Puts `child` where the first child of its type is, or behind the last one.
    mutating func replaceOrAppend(_ child: Box) {
        if let index = children?.firstIndex(where: { $0.type == child.type }) {
            children?[index] = child
        } else {
            children = (children ?? []) + [child]
        }
    }

    /// Puts `child` behind the first child of type `predecessor`, or first where there is none.
    mutating func insert(_ child: Box, after predecessor: FourCC) {
        let index = children?.firstIndex { $0.type == predecessor }
        children?.insert(child, at: index.map { $0 + 1 } ?? 0)
    }

    /// Edits the first box that `path` leads to; does nothing where there is none.
    mutating func edit(
        _ path: ArraySlice<FourCC>, _ change: (inout Box) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        guard let next = path.first else { return try change(&self) }
        guard let index = children?.firstIndex(where: { $0.type == next }) else { return }
        try children?[index].edit(path.dropFirst(), change)
    }

    /// Edits every child of this type.
    mutating func editAll(
        _ type: FourCC, _ change: (inout Box) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        for index in (children ?? []).indices where children?[index].type == type {
            try children?[index].edit([], change)
        }
    }

    /// Overwrites the payload's bytes from `offset` on.
    ///
    /// - Throws: `invalidBox` where the payload is too short.
    mutating func overwritePayload(at offset: Int, with bytes: [UInt8]) throws(MovieFileError) {
        let start = payload.startIndex + offset
        guard offset >= 0, start + bytes.count <= payload.endIndex else {
            throw .invalidBox(type, offset: fileOffset, reason: "it is too short")
        }
        payload.replaceSubrange(start..<start + bytes.count, with: bytes)
    }
}

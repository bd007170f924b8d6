// mmCIF files, by gemmi: the tables of atoms and of assemblies.
#include "host/files/core/text_file.hpp"
#include "host/files/import/molecules/import_pdb.hpp"

#include <gemmi/cif.hpp>
#include <gemmi/mmcif.hpp>

#include <map>
#include <new>

namespace sightline::io {
namespace {

namespace cif = gemmi::cif;

enum Column { id, element, chain, alternate, x, y, z, model, number, insertion };
const std::vector<std::string> columns = {
    "id",      "type_symbol", "label_asym_id",       "?label_alt_id", "Cartn_x",
    "Cartn_y", "Cartn_z",     "?pdbx_PDB_model_num", "?auth_seq_id",  "?pdbx_PDB_ins_code"};

using ChainNumbers = std::map<std::string, std::uint32_t>;

/// Without quotes; empty where it is not given.
std::string text_of(const cif::Table::Row& row, Column column) {
  return row.has2(column) ? row.str(column) : std::string();
}

PdbAtom read_atom(const std::string& file, const cif::Table::Row& row, ChainNumbers& chains) {
  const auto refuse_atom = [&](const std::string& reason) {
    refuse(file, "atom {}: {}", in_quotes(text_of(row, id)), reason);
  };
  PdbAtom atom{};
  const std::optional<std::uint32_t> serial = number_from<std::uint32_t>(text_of(row, id));
  if (!serial) refuse_atom("its id is no whole number below 2^32");
  atom.serial = *serial;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto column = static_cast<Column>(x + k);
    const std::optional<double> value = finite_number(text_of(row, column));
    if (!value || !(*value >= -1e6 && *value <= 1e6)) {
      refuse_atom(fmt::format("{} is {}, not a number up to 1,000,000", columns[column],
                              in_quotes(text_of(row, column))));
    }
    atom.position[k] = *value;
  }
  atom.element = find_element(text_of(row, element));
  if (atom.element == nullptr) {
    refuse_atom(in_quotes(text_of(row, element)) + " is no element that is known");
  }
  const auto next = static_cast<std::uint32_t>(chains.size());
  atom.chain = chains.try_emplace(text_of(row, chain), next).first->second;
  return atom;
}

void read_atoms(PdbFile& pdb, cif::Block& block, ChainNumbers& chains) {
  cif::Table table = block.find("_atom_site.", columns);
  if (!table.ok()) refuse(pdb.file, "it has no table of atoms with places and elements");
  std::map<std::string, std::string> first_location;
  std::optional<std::string> first_model;
  for (const cif::Table::Row& row : table) {
    const std::string location = text_of(row, alternate);
    const std::string residue =
        text_of(row, chain) + ' ' + text_of(row, number) + ' ' + text_of(row, insertion);
    if (!first_model) first_model = text_of(row, model);
    if (text_of(row, model) != *first_model) {
      ++pdb.other_models;
    } else if (!location.empty() &&
               first_location.try_emplace(residue, location).first->second != location) {
      ++pdb.alternates;
    } else {
      pdb.atoms.push_back(read_atom(pdb.file, row, chains));
    }
  }
  if (pdb.atoms.empty()) refuse(pdb.file, "its table of atoms is empty");
}

/// The copies of the first assembly.
void read_copies(PdbFile& pdb, const cif::Block& block, const ChainNumbers& chains) {
  const gemmi::Structure structure = gemmi::make_structure_from_block(block);
  if (structure.assemblies.empty()) return;
  for (const gemmi::Assembly::Gen& part : structure.assemblies[0].generators) {
    PdbCopy copy{{}, std::vector<bool>(chains.size())};
    for (const std::string& name : part.subchains) {
      if (chains.contains(name)) copy.chains[chains.at(name)] = true;
    }
    for (const gemmi::Assembly::Operator& motion : part.operators) {
      for (int r = 0; r < 3; ++r) {
        const auto& row = motion.transform.mat[r];
        copy.rows[static_cast<std::size_t>(r)] = {row[0], row[1], row[2],
                                                  motion.transform.vec.at(r)};
      }
      if (!is_rigid(copy)) {
        refuse(pdb.file,
               "operator {} of its first assembly is no rotation, or moves by 1,000,000 angstrom",
               in_quotes(motion.name));
      }
      pdb.copies.push_back(copy);
    }
  }
}

}  // namespace

PdbFile read_mmcif(const std::string& file, std::string_view text) {
  PdbFile pdb;
  pdb.file = file;
  try {
    cif::Document document = cif::read_memory(text.data(), text.size(), "");
    ChainNumbers chains;
    read_atoms(pdb, document.blocks.at(0), chains);
    read_copies(pdb, document.blocks[0], chains);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // gemmi's may go over several lines
    const std::string_view reason = error.what();
    refuse(file, "{}", in_quotes(reason.substr(0, reason.find('\n')), 200));
  }
  return pdb;
}

}  // namespace sightline::io
